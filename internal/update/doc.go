// Package update works out what a newer release of a toolkit means for a
// project: which releases its histories lack, what they change, which packages
// are carried on to them, what a person has to decide, and a summary of it all
// for a pull request.
//
// It reads releases through a [Source] and writes nothing: the command does.
package update
