// Package guard says how files on disk differ from what they should be:
// generated files from what would be generated now, sealed files from what
// their seals say. It reports findings and changes nothing; what a seal is and
// how files compare is known to package emit.
package guard
