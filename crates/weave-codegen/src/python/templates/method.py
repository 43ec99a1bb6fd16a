{{ method.signature }}{{ method.docs }}{{ method.body }}
