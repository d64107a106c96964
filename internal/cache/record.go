package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxRecord bounds a record, in bytes.
const maxRecord = 16 << 20

// PutRecord keeps a value under a key of one or more parts, in place of what
// was there. The file holds the SHA-256 of the rest in its first line.
func (c *Cache) PutRecord(value any, key ...string) error {
	name, err := c.record(key)
	if err != nil {
		return err
	}
	text, err := json.Marshal(value, jsontext.WithIndent(" "), json.Deterministic(true))
	if err != nil {
		return err
	}
	text = append(text, '\n')
	return c.write(name, append([]byte(Sum(text)+"\n"), text...))
}

// Record reads the value under a key. The error is [ErrMissing] where there is
// none, or a damaged one.
func (c *Cache) Record(into any, key ...string) error {
	name, err := c.record(key)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil || info.Size() > maxRecord {
		return fmt.Errorf("%w: no %s", ErrMissing, name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("%w: %v", ErrMissing, err)
	}
	sum, text, _ := bytes.Cut(data, []byte("\n"))
	if string(sum) != Sum(text) || json.Unmarshal(text, into) != nil {
		remove(name)
		return fmt.Errorf("%w: %s was damaged", ErrMissing, name)
	}
	return nil
}

// Keys lists what follows after a key, in order.
func (c *Cache) Keys(key ...string) []string {
	entries, err := os.ReadDir(c.path(append([]string{records}, key...)...))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

func (c *Cache) record(key []string) (string, error) {
	for _, part := range key {
		if !safe(part) {
			return "", fmt.Errorf("%.80q cannot be a name in the cache", part)
		}
	}
	return filepath.Join(c.path(records), filepath.Join(key...)+".json"), nil
}
