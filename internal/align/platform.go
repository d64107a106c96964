package align

import (
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// platformNames are the functions, types and constants with which a platform
// opens libraries and finds symbols, as Linux's dlfcn.h and Windows's
// libloaderapi.h, errhandlingapi.h and windef.h name them. A name that begins
// with RTLD_ or LOAD_LIBRARY_ belongs to them as well.
var platformNames = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`
		dlopen dlsym dlvsym dlclose dlerror dladdr dlinfo dlmopen
		LoadLibraryA LoadLibraryW LoadLibraryExA LoadLibraryExW LoadLibrary LoadLibraryEx FreeLibrary
		GetProcAddress GetModuleHandleA GetModuleHandleW GetModuleHandleExA GetModuleHandleExW GetModuleFileNameA GetModuleFileNameW
		AddDllDirectory SetDefaultDllDirectories SetDllDirectoryA SetDllDirectoryW SetErrorMode GetLastError FormatMessageA FormatMessageW
		HMODULE HINSTANCE HANDLE FARPROC DWORD LPCSTR LPCWSTR LPSTR LPWSTR PCWSTR WINAPI WIN32_LEAN_AND_MEAN
		win32api win32con pywintypes add_dll_directory windll WinDLL`) {
		m[name] = true
	}
	return m
}()

var platformHeaders = []string{"dlfcn.h", "windows.h", "winbase.h", "libloaderapi.h", "errhandlingapi.h", "windef.h"}

// lookups are the functions that find a symbol by its name.
var lookups = map[string]bool{"dlsym": true, "dlvsym": true, "GetProcAddress": true}

// plumbing is what is known of a file's platform code.
type plumbing struct {
	*file
	// names are the file's own names for a platform's functions, types and
	// constants, by what they are called in C.
	names map[string]string
	// loaders are the functions that give a library's handle.
	loaders map[string]bool
}

// passPlatform leaves platform code out of two files without regions. What one
// file shows of a function's variables holds for the other as well.
func passPlatform(a, b *file) {
	files := [2]*plumbing{newPlumbing(a), newPlumbing(b)}
	handles := map[string]map[string]bool{}
	for _, p := range files {
		for i := range p.level.body {
			p.alias(p.level.body[i:])
		}
		for _, u := range p.functions {
			if handles[u.name] == nil {
				handles[u.name] = map[string]bool{}
			}
			p.handles(u, handles[u.name])
		}
	}
	for _, p := range files {
		for _, u := range p.functions {
			p.enterLoaders(u, handles[u.name])
		}
	}
	for _, p := range files {
		for name := range files[0].loaders {
			p.loaders[name] = true
		}
		for name := range files[1].loaders {
			p.loaders[name] = true
		}
		for _, u := range p.functions {
			direct, looksUp := false, false
			for j := range u.body {
				l := p.lookup(&u.body[j])
				looksUp = looksUp || l != nil
				direct = direct || l == nil && p.calls(u.body[j].tokens)
			}
			u.platform = p.loaders[u.name] || direct && !looksUp
		}
		for _, u := range p.functions {
			u.body = p.pass(u.body, handles[u.name])
		}
		p.level.body = p.pass(splitImports(p.level.body), nil)
	}
}

func newPlumbing(f *file) *plumbing {
	return &plumbing{file: f, names: map[string]string{}, loaders: map[string]bool{}}
}

// alias enters the names that an extern block of a platform's header declares,
// and those that stand for a platform's names elsewhere.
func (p *plumbing) alias(body []statement) {
	s := &body[0]
	if isExtern(s.tokens) && p.calls(s.tokens) {
		for i := 1; i < len(body) && body[i].depth > s.depth; i++ {
			if name := declared(body[i].tokens); name != "" && p.names[name] == "" {
				p.names[name] = name
			}
		}
	}
	for i := 1; i < len(s.tokens); i++ {
		before, t := s.tokens[i-1], s.tokens[i]
		switch {
		case before.Kind == syntax.Name && t.Kind == syntax.String && isPlatformName(strings.Trim(t.Text, `"'`)):
			p.names[before.Text] = strings.Trim(t.Text, `"'`) // T name "C name"(...)
		case t.Is("as") && i+1 < len(s.tokens) && isPlatformName(before.Text):
			p.names[s.tokens[i+1].Text] = before.Text
		}
	}
}

// declared is the name that a declaration in an extern block declares.
func declared(tokens []syntax.Token) string {
	name := ""
	for _, t := range tokens {
		switch {
		case t.Is("("), t.Is("="):
			return name
		case t.Kind == syntax.String:
			return name
		case t.Kind == syntax.Name:
			name = t.Text
		}
	}
	return name
}

// handles enters the variables of a function that hold a library's handle: those
// that symbols are looked up in.
func (p *plumbing) handles(u *unit, handles map[string]bool) {
	for i := range u.body {
		if l := p.lookup(&u.body[i]); l != nil && l.handle != "" {
			handles[l.handle] = true
		}
	}
}

// enterLoaders enters the functions of the file whose result a handle gets.
func (p *plumbing) enterLoaders(u *unit, handles map[string]bool) {
	for i := range u.body {
		t := u.body[i].tokens
		equals := slices.IndexFunc(t, func(t syntax.Token) bool { return t.Is("=") })
		if equals < 1 || !handles[t[equals-1].Text] {
			continue
		}
		for j := equals + 1; j+1 < len(t); j++ {
			if p.byName[t[j].Text] != nil && t[j+1].Is("(") {
				p.loaders[t[j].Text] = true
			}
		}
	}
}

func isPlatformName(name string) bool {
	return platformNames[name] || strings.HasPrefix(name, "RTLD_") || strings.HasPrefix(name, "LOAD_LIBRARY_")
}

// calls reports whether tokens name something of a platform's, or a function
// that gives a library's handle.
func (p *plumbing) calls(tokens []syntax.Token) bool {
	return slices.ContainsFunc(tokens, func(t syntax.Token) bool {
		switch t.Kind {
		case syntax.Name:
			return isPlatformName(t.Text) || p.names[t.Text] != "" || p.loaders[t.Text]
		case syntax.String:
			return slices.Contains(platformHeaders, strings.Trim(t.Text, `"'<>`))
		}
		return false
	})
}

// aboutHandle reports whether a statement declares a library's handle or tests
// it, and does nothing else: its type and what is no handle are the platform's.
func aboutHandle(tokens []syntax.Token, handles map[string]bool) bool {
	found := false
	for i, t := range tokens {
		switch {
		case t.Kind == syntax.Name && handles[t.Text]:
			found = true
		case t.Is("("), t.Is(":="), t.Is("return"):
			return false
		case t.Is("=") && !tokens[0].Is("cdef"):
			return false
		case t.Kind == syntax.Name && i > 0 && !tokens[0].Is("cdef") && !t.Is("NULL") && !t.Is("not") && !t.Is("is") && !t.Is("None"):
			return false
		}
	}
	return found
}

// pass leaves out statements of platform code, and blocks that hold nothing
// else. A look-up is kept as what it asks for.
func (p *plumbing) pass(body []statement, handles map[string]bool) (kept []statement) {
	look := func(l statement) {
		// The same symbol may be looked up in several places, one after the other.
		if n := len(kept); n == 0 || kept[n-1].key != l.key {
			kept = append(kept, l)
		}
	}
	for i := 0; i < len(body); {
		s := &body[i]
		end := i + 1
		for end < len(body) && body[end].depth > s.depth {
			end++
		}
		own := p.calls(s.tokens) || aboutHandle(s.tokens, handles)
		l := p.lookup(s)
		inner := p.pass(body[i+1:end], handles)
		noStatements := !slices.ContainsFunc(inner, func(s statement) bool { return s.kind != lookup })
		switch {
		case l != nil:
			p.passed++
			look(l.statement)
		case own && isExtern(s.tokens):
			p.passed += end - i
			inner = nil
		case end > i+1 && noStatements && (own || len(inner) > 0 || p.passedAll(body[i+1:end])):
			p.passed++ // the block is there for the platform's sake
		case own:
			p.passed++
		default:
			kept = append(kept, *s)
		}
		for _, s := range inner {
			if s.kind == lookup {
				look(s)
			} else {
				kept = append(kept, s)
			}
		}
		i = end
	}
	return kept
}

// passedAll reports whether a block was left out as a whole: it is one of
// platform code, and not an empty one.
func (p *plumbing) passedAll(block []statement) bool {
	return slices.ContainsFunc(block, func(s statement) bool { return p.calls(s.tokens) })
}

func isExtern(tokens []syntax.Token) bool {
	return len(tokens) > 1 && tokens[1].Is("extern")
}

// symbolLookup is the look-up of a symbol, the same on every platform.
type symbolLookup struct {
	statement
	handle string // the variable that holds the library's handle
}

// lookup is what stands for a statement that assigns the address of a symbol,
// found by its name. It is nil for others.
func (p *plumbing) lookup(s *statement) *symbolLookup {
	call := slices.IndexFunc(s.tokens, func(t syntax.Token) bool {
		return t.Kind == syntax.Name && (lookups[t.Text] || lookups[p.names[t.Text]])
	})
	if call < 0 {
		return nil
	}
	symbol := slices.IndexFunc(s.tokens[call:], func(t syntax.Token) bool { return t.Kind == syntax.String })
	if symbol < 0 {
		return nil
	}
	symbol += call
	l := &symbolLookup{statement: statement{kind: lookup}}
	for _, t := range s.tokens[call+1 : symbol] {
		if t.Kind == syntax.Name && !isPlatformName(t.Text) && p.names[t.Text] == "" {
			l.handle = t.Text
		}
	}
	if equals := slices.IndexFunc(s.tokens[:call], func(t syntax.Token) bool { return t.Is("=") }); equals > 0 {
		l.tokens = append(l.tokens, s.tokens[:equals]...)
	}
	l.tokens = append(l.tokens, s.tokens[symbol])
	l.key = key(l.tokens, 0)
	l.text = strings.Trim(s.tokens[symbol].Text, `"'`)
	if n := len(l.tokens); n > 1 {
		l.text = l.tokens[n-2].Text + " = look-up of " + l.text
	}
	return l
}

// splitImports makes an import of several names one of each, for two files may
// need different ones.
func splitImports(body []statement) (out []statement) {
	for _, s := range body {
		t := s.tokens
		names := slices.IndexFunc(t, func(t syntax.Token) bool { return t.Is("import") || t.Is("cimport") }) + 1
		if !isImport(&s) || names < 1 || names >= len(t) {
			out = append(out, s)
			continue
		}
		first := names
		for i := names; i <= len(t); i++ {
			if i < len(t) && !t[i].Is(",") && !t[i].Is("(") && !t[i].Is(")") {
				continue
			}
			if i > first {
				one := statement{tokens: append(slices.Clone(t[:names]), t[first:i]...), depth: s.depth}
				one.key = key(one.tokens, s.depth)
				for _, t := range one.tokens {
					one.text += t.Text + " "
				}
				one.text = strings.ReplaceAll(strings.TrimSpace(one.text), " . ", ".")
				out = append(out, one)
			}
			first = i + 1
		}
	}
	return out
}
