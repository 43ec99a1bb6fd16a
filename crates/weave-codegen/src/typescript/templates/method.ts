{{ method.docs }}  {{ method.signature }}: () => {
    {{ method.body }}
  },
