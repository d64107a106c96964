package fetch

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
)

// A zip archive ends in a record that says where its directory is, which says
// where its members are (PKWARE's application note, 4.3). What is read here
// only plans which bytes to ask for: archive/zip judges them afterwards.

// entry is a member as the directory has it.
type entry struct {
	name   string
	offset int64 // of the header before its data
	extent int64 // of that header and the data, about
}

const (
	endMark       = "PK\x05\x06"
	endSize       = 22
	locatorMark   = "PK\x06\x07"
	locatorSize   = 20
	end64Mark     = "PK\x06\x06"
	end64Size     = 56
	entryMark     = "PK\x01\x02"
	entrySize     = 46
	memberMark    = "PK\x03\x04"
	memberSize    = 30
	extra64       = 1        // the extra field with numbers of 64 bits
	maxDirectory  = 64 << 20 // bytes
	maxComment    = 1<<16 - 1
	absent16      = 1<<16 - 1
	absent32      = 1<<32 - 1
	memberSlack   = 1 << 10 // for the extra fields of a member, which may be longer than the directory's
	mostSlack     = 64 << 10
	nearEnough    = 64 << 10 // bytes between members that are read along with them
	mostRequests  = 3        // for a wheel...
	mostReadAlong = 4 << 20  // ...if no more bytes have to be read along for that
)

// readDirectory reads an archive's directory. start is where it begins.
func readDirectory(r *remote) (entries []entry, start int64, err error) {
	damaged := func(what string) ([]entry, int64, error) {
		return nil, 0, r.errorf("the wheel is damaged or cut off: %s", what)
	}
	at, end, err := findEnd(r)
	if err != nil {
		return nil, 0, err
	}
	if at < 0 {
		return damaged("there is no directory at its end, as a zip archive has it")
	}
	count, size := int64(binary.LittleEndian.Uint16(end[10:])), int64(binary.LittleEndian.Uint32(end[12:]))
	start = int64(binary.LittleEndian.Uint32(end[16:]))
	if (count == absent16 || size == absent32 || start == absent32) && at >= locatorSize {
		locator := make([]byte, locatorSize)
		if _, err := r.ReadAt(locator, at-locatorSize); err != nil {
			return nil, 0, err
		}
		if string(locator[:4]) == locatorMark {
			where := int64(binary.LittleEndian.Uint64(locator[8:]))
			if where < 0 || where > at-locatorSize-end64Size {
				return damaged("its end says that the directory is elsewhere")
			}
			end64 := make([]byte, end64Size)
			if _, err := r.ReadAt(end64, where); err != nil {
				return nil, 0, err
			}
			if string(end64[:4]) != end64Mark {
				return damaged("its end says that the directory is elsewhere")
			}
			count = int64(binary.LittleEndian.Uint64(end64[32:]))
			size, start = int64(binary.LittleEndian.Uint64(end64[40:])), int64(binary.LittleEndian.Uint64(end64[48:]))
			at = where
		}
	}
	switch {
	case size < 0 || size > maxDirectory:
		return damaged("its directory has too many bytes")
	case start < 0 || start != at-size:
		return damaged("its directory is not where its end says")
	}
	if !r.has(span{start, at}) {
		// The wheel's metadata lie before it, as a rule.
		if err := r.fetch([]span{{max(0, start-tail), at}}); err != nil {
			return nil, 0, err
		}
	}
	data := make([]byte, size)
	if _, err := r.ReadAt(data, start); err != nil && err != io.EOF {
		return nil, 0, err
	}
	for len(data) >= entrySize && string(data[:4]) == entryMark {
		e, n := parseEntry(data)
		if n == 0 || e.offset < 0 || e.extent < 0 || e.offset > start-e.extent {
			return damaged("its directory has a member that is not in it")
		}
		entries, data = append(entries, e), data[n:]
	}
	if len(data) != 0 || int64(len(entries)) != count {
		return damaged("its directory has not as many members as it says")
	}
	return entries, start, nil
}

// findEnd finds the record at the end, behind which there may be a comment. at
// is below zero if there is none.
func findEnd(r *remote) (at int64, end []byte, err error) {
	for _, length := range []int64{min(tail, r.size), min(maxComment+endSize, r.size)} {
		data := make([]byte, length)
		if _, err := r.ReadAt(data, r.size-length); err != nil && err != io.EOF {
			return 0, nil, err
		}
		for i := len(data) - endSize; i >= 0; i-- {
			if bytes.HasPrefix(data[i:], []byte(endMark)) && i+endSize+int(binary.LittleEndian.Uint16(data[i+20:])) == len(data) {
				return r.size - length + int64(i), data[i : i+endSize], nil
			}
		}
	}
	return -1, nil, nil
}

// parseEntry reads an entry of the directory and says how long it is, 0 if it
// is cut off.
func parseEntry(data []byte) (e entry, length int) {
	names, extras, comments := int(binary.LittleEndian.Uint16(data[28:])), int(binary.LittleEndian.Uint16(data[30:])), int(binary.LittleEndian.Uint16(data[32:]))
	length = entrySize + names + extras + comments
	if length > len(data) {
		return e, 0
	}
	packed, size := int64(binary.LittleEndian.Uint32(data[20:])), binary.LittleEndian.Uint32(data[24:])
	e.offset = int64(binary.LittleEndian.Uint32(data[42:]))
	e.name = string(data[entrySize : entrySize+names])
	for extra := data[entrySize+names : entrySize+names+extras]; len(extra) >= 4; {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			break
		}
		if field := extra[:n]; id == extra64 {
			next := func() (v int64) {
				if len(field) >= 8 {
					v, field = int64(binary.LittleEndian.Uint64(field)), field[8:]
				}
				return v
			}
			if size == absent32 {
				next()
			}
			if packed == absent32 {
				packed = next()
			}
			if e.offset == absent32 {
				e.offset = next()
			}
		}
		extra = extra[n:]
	}
	if packed < 0 {
		return e, 0
	}
	e.extent = memberSize + int64(names) + packed
	return e, length
}

// plan gives the spans to read so that the members that are wanted and not there
// can be: what lies near to each other is read at once, and far apart only where
// that would read too much. start is where the directory begins.
func (r *remote) plan(all []entry, wanted func(name string) bool, start int64) []span {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b entry) int { return int(min(max(a.offset-b.offset, -1), 1)) })
	var spans []span
	for i, e := range all {
		if !wanted(e.name) {
			continue
		}
		// The member ends where the next one begins, if that is about right.
		to := start
		if i+1 < len(all) {
			to = all[i+1].offset
		}
		if least := e.offset + e.extent; to < least || to > least+mostSlack {
			to = min(start, least+memberSlack)
		}
		if r.has(span{e.offset, to}) {
			continue
		}
		if n := len(spans); n > 0 && e.offset-spans[n-1].to <= nearEnough {
			spans[n-1].to = max(spans[n-1].to, to)
		} else {
			spans = append(spans, span{e.offset, to})
		}
	}
	for len(spans) > max(1, mostRequests-r.requests) {
		near := 0
		gap := func(i int) int64 { return spans[i+1].from - spans[i].to }
		for i := range len(spans) - 1 {
			if gap(i) < gap(near) {
				near = i
			}
		}
		if gap(near) > mostReadAlong {
			break
		}
		spans[near].to = spans[near+1].to
		spans = slices.Delete(spans, near+1, near+2)
	}
	return spans
}

// checkMembers compares the names before the members' data with those in the
// directory, which archive/zip does not.
func checkMembers(r *remote, all []entry, wanted func(name string) bool) error {
	for _, e := range all {
		if !wanted(e.name) {
			continue
		}
		head := make([]byte, memberSize+len(e.name))
		if _, err := r.ReadAt(head, e.offset); err != nil && err != io.EOF {
			return err
		}
		if string(head[:4]) != memberMark || int(binary.LittleEndian.Uint16(head[26:])) != len(e.name) || string(head[memberSize:]) != e.name {
			return r.errorf("the wheel's directory says that %.100q is at %d, but it is not", e.name, e.offset)
		}
	}
	return nil
}
