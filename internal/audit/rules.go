package audit

// Rule identifies a kind of finding.
type Rule struct {
	ID   string
	Text string // one paragraph: what goes wrong, and what to do
}

// The rules.
const (
	CheckThenAssign   = "check-then-assign"
	UnlockedRead      = "unlocked-read"
	PlainFlag         = "plain-flag"
	RelaxedPublish    = "relaxed-publication"
	RelaxedLoad       = "relaxed-load"
	SharedMutable     = "shared-mutable"
	Bypass            = "bypasses-initialiser"
	WriteAfterPublish = "written-after-publication"
	LazyObject        = "lazy-python-global"
	HeldInterpreter   = "interpreter-held-for-lock"
	FreedPublished    = "frees-published"
	PublishedTwice    = "published-twice"
	BorrowedReference = "borrowed-reference"
	Reenters          = "initialiser-reenters"
	LateImport        = "late-import"
	ClosesLibrary     = "closes-library"
	HiddenState       = "hidden-state"
	NoFreeThreading   = "interpreter-lock-returns"
	Unreadable        = "unreadable"
)

// Rules lists all rules in the order of their identifiers.
var Rules = []Rule{
	{Bypass, "A function reads what the initialiser fills without making sure that it has run: the first caller gets nothing, or a null pointer. Call the initialiser, or check that what was read is there and initialise if it is not."},
	{BorrowedReference, "A Python object is published without a reference of its own: it can be freed while other threads use it. Take a reference before publishing."},
	{CheckThenAssign, "Shared state is assigned while the module is in use, with nothing that orders threads: two of them can find it unset and both set it, and a third sees one half done. Build privately and publish with one compare-and-swap, or hold one lock around every access."},
	{ClosesLibrary, "A library whose functions are kept is closed: the pointers then lead nowhere."},
	{FreedPublished, "Something that was published, or replaced after it was published, is freed: other threads may still be reading it."},
	{HiddenState, "State is kept where it cannot be followed: in a cache decorator, a closure, the module's dictionary, a C expression behind a name. Keep it in a variable."},
	{Reenters, "A function calls itself through others: an initialiser that calls what calls it waits for itself, or never ends."},
	{HeldInterpreter, "A thread waits for a lock while it holds the interpreter, or for the interpreter while it holds the lock: the lock's owner may need the interpreter to go on. Use a lock that gives the interpreter up while it waits, or no lock."},
	{NoFreeThreading, "The module does not declare that it is safe without the interpreter lock, so importing it switches the lock on again for the whole process. Put `# cython: freethreading_compatible=True` at the top."},
	{LateImport, "Something is imported while the module is in use: the import system's locks are then taken inside of initialisation. Import at the top of the module."},
	{LazyObject, "A Python object in a module's global is assigned while the module is in use: without the interpreter lock a reader can meet it between the old reference and the new one. Make it when the module is imported, or publish an owned reference atomically."},
	{PlainFlag, "A plain variable tells threads that something is ready: nothing orders it with what it speaks of. Let the published pointer itself be the flag."},
	{PublishedTwice, "What was published can be replaced: threads then hold different versions, and the old one is never freed or freed too early. Publish with a compare-and-swap from the initial value."},
	{RelaxedLoad, "Shared state is read with too weak an order, or as a plain variable: the pointer can be new and what it points to old. Use an acquire load."},
	{RelaxedPublish, "Shared state is published with too weak an order, or as a plain variable: another thread can see the pointer before what it points to. Use release, or the default order."},
	{SharedMutable, "A mutable object that threads share is handed to callers, each of whom can change it for all. Give each caller its own."},
	{UnlockedRead, "Shared state is written under a lock and read without it: the read races with the write. Hold the lock for the read too, or publish with release and read with acquire."},
	{Unreadable, "A place could not be read or followed, so nothing can be said about it. Write it more simply."},
	{WriteAfterPublish, "Something is changed that other threads can already see. Fill it first, publish it last, and leave it alone from then on."},
}

func ruleText(id string) string {
	for _, r := range Rules {
		if r.ID == id {
			return r.Text
		}
	}
	return ""
}
