// Package headers says where headers come from.
//
// A user names one or more places: a folder of headers, the root of a CUDA
// toolkit, a folder into which wheels were installed, a wheel, an archive. [Open]
// turns them into one [Set]: a read-only file system in which "cuda.h" and
// "crt/host_defines.h" open, and what is known of where each header is from
// (the folders searched, the version of each wheel, the SHA-256 of a header).
//
// Goals:
//
//   - Nothing is unpacked on disk. A wheel stays a file; a header in it is inflated
//     in memory when it is first opened, once, and no other member is touched.
//     The headers of other archives are read into memory, and nothing else.
//   - Wheels and archives are untrusted. Names that lead out of it, members that are links,
//     doubled, oversized or damaged are errors that name the wheel and the
//     member; they never reach the disk and are never passed over.
//   - Mixing releases is refused where it can be seen.
//
// Headers that somebody else holds, such as those of a package index in a
// cache, come in as a [Package].
//
// It is not a preprocessor: bytes come out as they are, whatever their
// encoding and line ends. It does not know which library needs which header,
// and it does not fetch anything. A new kind of place is one more
// implementation of the source interface and one more case in openPath.
package headers
