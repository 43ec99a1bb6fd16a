{{ method.docs }}func (s *{{ service.name }}) {{ method.name }}{{ method.signature }} {
	{{ method.body }}
}
