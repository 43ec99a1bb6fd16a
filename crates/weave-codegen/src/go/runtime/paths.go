package weaveruntime

// Scope holds the values that guards and templates read. It is not changed by reading, which may happen many times at once.
type Scope struct {
	roots   *value
	answers map[string][]*value
}

// NewScope is a scope with the roots that these give; of two with one name the first counts. What they give is told by [From] (the fields
// of a value are roots: the parameters of a tool), [RootsIn], [RootFrom] and [RootOf].
func NewScope(roots ...Root) (*Scope, error) {
	scope := &Scope{roots: objectValue(), answers: map[string][]*value{}}
	for _, root := range roots {
		if err := root(scope.roots); err != nil {
			return nil, err
		}
	}
	return scope, nil
}

// SetAnswers says what all answers of a node are, as JSON and in order, which `.NODE[]` reads.
func (s *Scope) SetAnswers(node string, answers ...[]byte) error {
	read := make([]*value, 0, len(answers))
	for _, answer := range answers {
		found, err := parse(answer)
		if err != nil {
			return err
		}
		read = append(read, found)
	}
	s.answers[node] = read
	return nil
}

// RootsIn are the entries of an object of JSON.
func RootsIn(object []byte) Root {
	return func(into *value) *ValidationError {
		read, err := parse(object)
		if err != nil {
			return err
		}
		if !read.is(kindObject) {
			return &ValidationError{Message: "must be an object"}
		}
		for at, key := range read.keys {
			into.put(key, read.items[at])
		}
		return nil
	}
}

// RootFrom is a root with a JSON value: the answer of a node, the input of a run, an event.
func RootFrom(name string, json []byte) Root {
	return func(into *value) *ValidationError {
		read, err := parse(json)
		if err == nil {
			into.put(name, read)
		}
		return err
	}
}

// RootOf is a root with a value.
func RootOf[T any](name string, codec *Codec[T], held T) Root {
	return func(into *value) *ValidationError {
		written, err := codec.value(held)
		if err == nil {
			into.put(name, written)
		}
		return err
	}
}

// step is what one step of a path reads: a key, an index, or all answers.
type step struct {
	key     string
	index   int
	isIndex bool
	isAll   bool
}

func (s step) isKey() bool { return !s.isIndex && !s.isAll }

// read is what a path reads; nil where something is absent, null or of another kind.
func (s *Scope) read(path []step) *value {
	if s == nil || len(path) == 0 || !path[0].isKey() {
		return nil
	}
	if len(path) == 1 || !path[1].isAll {
		return descend(s.roots.get(path[0].key), path[1:])
	}
	answers, ok := s.answers[path[0].key]
	if !ok {
		return nil
	}
	items := make([]*value, len(answers))
	for at, answer := range answers {
		if items[at] = descend(answer, path[2:]); items[at] == nil {
			items[at] = nullValue()
		}
	}
	return listValue(items)
}

// descend is what lies below a value.
func descend(at *value, path []step) *value {
	for _, next := range path {
		switch {
		case at == nil:
			return nil
		case next.isKey() && at.is(kindObject):
			at = at.get(next.key)
		case next.isIndex && at.is(kindList) && next.index < len(at.items):
			at = at.items[next.index]
		default:
			// `[]` stands right behind a root and nowhere else.
			return nil
		}
	}
	return at
}

// isDeeper says whether a text of JSON is nested deeper than so many levels, before anybody reads it.
func isDeeper(text []byte, limit int) bool {
	depth := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; at < len(text) && text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
		case '[', '{':
			if depth++; depth > limit {
				return true
			}
		case ']', '}':
			depth--
		}
	}
	return false
}
