// Package audit reads Cython source and the C in its verbatim blocks and says
// where threads can harm each other. It knows which state threads share, and
// follows by abstract execution how that state is initialised, published and
// read, through helpers in both languages, for every outcome of the C
// conditions.
//
// It proves rather than searches: state that is written while the module is in
// use has to fit one of the disciplines in classify.go, and everything that it
// cannot read or follow is a finding too. It knows no names of emitted code.
// It does not run or compile anything, and it does not judge what a library
// behind the bindings does.
package audit
