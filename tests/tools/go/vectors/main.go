// Command vectors reads values with the generated codecs, which `probes` names, and says what became of each.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"

	weave "weave.test/gen/weaveruntime"
)

type vector struct {
	Type string
	JSON string
}

type verdict struct {
	OK      bool    `json:"ok"`
	Written string  `json:"written,omitempty"`
	Path    *string `json:"path,omitempty"`
	Message string  `json:"message,omitempty"`
	Problem string  `json:"problem,omitempty"`

	Schema json.RawMessage `json:"schema,omitempty"`
}

type probe func(text []byte) verdict

func of[T any](codec *weave.Codec[T]) probe {
	return func(text []byte) verdict {
		// Without a value, the schema is asked for.
		if len(text) == 0 {
			return verdict{Schema: codec.Schema()}
		}
		read, err := codec.Decode(text)
		if err != nil {
			var invalid *weave.ValidationError
			if !errors.As(err, &invalid) {
				return verdict{Problem: err.Error()}
			}
			path := ""
			if len(invalid.Path) > 0 {
				path = invalid.Pointer()
			}
			return verdict{Path: &path, Message: err.Error()}
		}
		// What was read is written and read again.
		written, err := codec.Encode(read)
		if err != nil {
			return verdict{Problem: "it cannot be written: " + err.Error()}
		}
		again, err := codec.Decode(written)
		if err != nil || !reflect.DeepEqual(read, again) {
			return verdict{Problem: fmt.Sprintf("it is another value when it is read again: %s, %v", written, err)}
		}
		// Reading as Go does gives the same, where the type has methods for it.
		var usual T
		if _, ok := any(&usual).(json.Unmarshaler); ok {
			if err := json.Unmarshal(text, &usual); err != nil || !reflect.DeepEqual(read, usual) {
				return verdict{Problem: fmt.Sprintf("json.Unmarshal gives something else: %v", err)}
			}
		}
		return verdict{OK: true, Written: string(written)}
	}
}

func main() {
	var vectors []vector
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(text, &vectors)
	}
	verdicts := make([]verdict, 0, len(vectors))
	for _, asked := range vectors {
		if probe, ok := probes[asked.Type]; ok {
			verdicts = append(verdicts, probe([]byte(asked.JSON)))
		} else {
			verdicts = append(verdicts, verdict{Problem: "there is no codec " + asked.Type})
		}
	}
	if err == nil {
		text, err = json.Marshal(verdicts)
	}
	if err == nil {
		err = os.WriteFile(os.Args[2], text, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
