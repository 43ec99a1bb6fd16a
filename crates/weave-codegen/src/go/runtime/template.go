package weaveruntime

// Part is a part of a text with placeholders.
type Part struct {
	text        string
	placeholder bool
	path        []any
	fallback    string
}

// Words is a part that stands as it is.
func Words(text string) Part { return Part{text: text} }

// Slot is a part that is read from a value, by names (string) and indices (int).
func Slot(path ...any) Part { return Part{placeholder: true, path: path} }

// Or is what stands for a part that is absent or null, as JSON.
func (p Part) Or(fallback string) Part {
	p.fallback = fallback
	return p
}

func lookUp(path []any, roots *value) *value {
	at := roots
	for _, part := range path {
		if at == nil {
			return nil
		}
		switch part := part.(type) {
		case string:
			at = at.get(part)
		case int:
			if !at.is(kindList) || part < 0 || part >= len(at.items) {
				return nil
			}
			at = at.items[part]
		}
	}
	return at
}

func render(parts []Part, roots *value) string {
	var out []byte
	for _, part := range parts {
		if !part.placeholder {
			out = append(out, part.text...)
			continue
		}
		found := lookUp(part.path, roots)
		if part.fallback != "" && (found == nil || found.isNull()) {
			found, _ = parseText(part.fallback)
		}
		switch {
		case found == nil:
		case found.is(kindString):
			out = append(out, found.text...)
		default:
			out = append(out, canonical(found)...)
		}
	}
	return string(out)
}

// Root is a value that placeholders are read from.
type Root func(into *value) *ValidationError

// From are the fields of a record.
func From[T any](codec *Codec[T], held T) Root {
	return func(into *value) *ValidationError {
		written, err := codec.value(held)
		if err != nil {
			return err
		}
		for index, key := range written.keys {
			into.put(key, written.items[index])
		}
		return nil
	}
}

// Render fills in the placeholders of a text: strings as they are, everything else as JSON.
func Render(parts []Part, roots ...Root) (string, error) {
	into := objectValue()
	for _, root := range roots {
		if err := root(into); err != nil {
			return "", err
		}
	}
	return render(parts, into), nil
}
