package audit

import "github.com/cybindgo/cybindgo/internal/finding"

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
var Rules = []finding.Rule{
	{
		ID: Bypass, Severity: finding.Error,
		Text: "A function reads what the initialiser fills without making sure that it has run: the first caller gets nothing, or a null pointer.",
		Help: "Call the initialiser, or check that what was read is there and initialise if it is not.",
	},
	{
		ID: BorrowedReference, Severity: finding.Error,
		Text: "A Python object is published without a reference of its own: it can be freed while other threads use it.",
		Help: "Take a reference before publishing.",
	},
	{
		ID: CheckThenAssign, Severity: finding.Error,
		Text: "Shared state is assigned while the module is in use, with nothing that orders threads: two of them can find it unset and both set it, and a third sees one half done.",
		Help: "Build privately and publish with one compare-and-swap, or hold one lock around every access.",
	},
	{
		ID: ClosesLibrary, Severity: finding.Error,
		Text: "A library whose functions are kept is closed: the pointers then lead nowhere.",
		Help: "Keep the library open: the process needs it as long as the module.",
	},
	{
		ID: FreedPublished, Severity: finding.Error,
		Text: "Something that was published, or replaced after it was published, is freed: other threads may still be reading it.",
		Help: "Free only what this thread has made and nobody else has seen.",
	},
	{
		ID: HiddenState, Severity: finding.Error,
		Text: "State is kept where it cannot be followed: in a cache decorator, a closure, the module's dictionary, a C expression behind a name.",
		Help: "Keep it in a variable.",
	},
	{
		ID: Reenters, Severity: finding.Error,
		Text: "A function calls itself through others: an initialiser that calls what calls it waits for itself, or never ends.",
		Help: "Let the initialiser use raw pointers that it looked up itself, not the wrappers.",
	},
	{
		ID: HeldInterpreter, Severity: finding.Error,
		Text: "A thread waits for a lock while it holds the interpreter, or for the interpreter while it holds the lock: the lock's owner may need the interpreter to go on.",
		Help: "Use a lock that gives the interpreter up while it waits, or no lock.",
	},
	{
		ID: NoFreeThreading, Severity: finding.Error,
		Text: "The module does not declare that it is safe without the interpreter lock, so importing it switches the lock on again for the whole process.",
		Help: "Put `# cython: freethreading_compatible=True` at the top.",
	},
	{
		ID: LateImport, Severity: finding.Error,
		Text: "Something is imported while the module is in use: the import system's locks are then taken inside of initialisation.",
		Help: "Import at the top of the module.",
	},
	{
		ID: LazyObject, Severity: finding.Error,
		Text: "A Python object in a module's global is assigned while the module is in use: without the interpreter lock a reader can meet it between the old reference and the new one.",
		Help: "Make it when the module is imported, or publish an owned reference atomically.",
	},
	{
		ID: PlainFlag, Severity: finding.Error,
		Text: "A plain variable tells threads that something is ready: nothing orders it with what it speaks of.",
		Help: "Let the published pointer itself be the flag.",
	},
	{
		ID: PublishedTwice, Severity: finding.Error,
		Text: "What was published can be replaced: threads then hold different versions, and the old one is never freed or freed too early.",
		Help: "Publish with a compare-and-swap from the initial value.",
	},
	{
		ID: RelaxedLoad, Severity: finding.Error,
		Text: "Shared state is read with too weak an order, or as a plain variable: the pointer can be new and what it points to old.",
		Help: "Use an acquire load.",
	},
	{
		ID: RelaxedPublish, Severity: finding.Error,
		Text: "Shared state is published with too weak an order, or as a plain variable: another thread can see the pointer before what it points to.",
		Help: "Use release, or the default order.",
	},
	{
		ID: SharedMutable, Severity: finding.Error,
		Text: "A mutable object that threads share is handed to callers, each of whom can change it for all.",
		Help: "Give each caller its own.",
	},
	{
		ID: UnlockedRead, Severity: finding.Error,
		Text: "Shared state is written under a lock and read without it: the read races with the write.",
		Help: "Hold the lock for the read too, or publish with release and read with acquire.",
	},
	{
		ID: Unreadable, Severity: finding.Error,
		Text: "A place could not be read or followed, so nothing can be said about it.",
		Help: "Write it more simply.",
	},
	{
		ID: WriteAfterPublish, Severity: finding.Error,
		Text: "Something is changed that other threads can already see.",
		Help: "Fill it first, publish it last, and leave it alone from then on.",
	},
}

func help(id string) string {
	for _, r := range Rules {
		if r.ID == id {
			return r.Help
		}
	}
	return ""
}
