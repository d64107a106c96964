// Package dist reads what Python distributions say of themselves: names as
// they compare (PEP 503), the file names of wheels (PEP 427), requirements and
// their environment markers (PEP 508), core metadata.
//
// It opens no files and knows nothing of CUDA. Versions are those of PEP 440,
// by go-pep440-version.
package dist
