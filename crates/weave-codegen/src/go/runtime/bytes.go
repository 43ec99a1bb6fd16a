package weaveruntime

import (
	"encoding/base64"
	"strings"
)

// Bytes are bytes, in JSON base64 with the standard alphabet and padding.
func Bytes(given ...Limit) Node[[]byte] {
	l := limitsOf(given)
	return Node[[]byte]{
		nullable: never,
		isNil:    func(from []byte) bool { return from == nil },
		read: func(v *value, at *place) ([]byte, *ValidationError) {
			if err := textual(v, at); err != nil {
				return nil, err
			}
			// The decoder passes over the ends of lines.
			read, err := base64.StdEncoding.DecodeString(v.text)
			if err != nil || strings.ContainsAny(v.text, "\r\n") {
				return nil, at.refuse("must be base64 with the standard alphabet and padding")
			}
			if err := l.sized(len(read), "bytes", at); err != nil {
				return nil, err
			}
			return read, l.matches(v.text, at)
		},
		write: func(from []byte, _ *place) (*value, *ValidationError) {
			return textValue(base64.StdEncoding.EncodeToString(from)), nil
		},
	}
}
