package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
)

// MaxContent bounds one content, in bytes. CUDA's largest header has 1.3 MB.
const MaxContent = 64 << 20

// ErrMissing says that the cache has not what was asked for, or has it damaged,
// which comes to the same: it has to be fetched.
var ErrMissing = errors.New("not in the cache")

// Sum is the name of a content: its SHA-256 in hexadecimal.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Put keeps a content and gives its name.
func (c *Cache) Put(data []byte) (sum string, err error) {
	if len(data) > MaxContent {
		return "", fmt.Errorf("%d bytes to cache: expected at most %d", len(data), MaxContent)
	}
	sum = Sum(data)
	if c.Has(sum) {
		return sum, nil
	}
	return sum, c.write(c.content(sum), data)
}

// Get reads a content and checks it. A damaged one is removed.
func (c *Cache) Get(sum string) ([]byte, error) {
	if !validSum(sum) {
		return nil, fmt.Errorf("%w: %.80q is no sha256", ErrMissing, sum)
	}
	name := c.content(sum)
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%w: no %s", ErrMissing, name)
	}
	if info.Size() <= MaxContent {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrMissing, err)
		}
		if Sum(data) == sum {
			return data, nil
		}
	}
	remove(name)
	return nil, fmt.Errorf("%w: %s was damaged", ErrMissing, name)
}

// Has reports whether a content is there and whole.
func (c *Cache) Has(sum string) bool {
	_, err := c.Get(sum)
	return err == nil
}

func (c *Cache) content(sum string) string { return c.path(contents, sum[:2], sum) }

func validSum(sum string) bool {
	b, err := hex.DecodeString(sum)
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == sum
}

// remove removes a file that may be read-only, which Windows refuses.
func remove(name string) {
	if os.Remove(name) != nil {
		os.Chmod(name, 0o666)
		os.Remove(name)
	}
}
