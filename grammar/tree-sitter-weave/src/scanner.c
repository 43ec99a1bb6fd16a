// Block comments, which nest, so that no regular expression can tell where they end.

#include "tree_sitter/parser.h"

// In the order of `externals` in grammar.js.
enum TokenType { BLOCK_COMMENT, IN_TEXT, MISTAKE };

void *tree_sitter_weave_external_scanner_create(void) { return NULL; }

void tree_sitter_weave_external_scanner_destroy(void *payload) { (void)payload; }

unsigned tree_sitter_weave_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

void tree_sitter_weave_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

bool tree_sitter_weave_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  // In a text nothing is a comment. Where something is wrong, every token is said to be valid.
  bool in_text = valid_symbols[IN_TEXT] && !valid_symbols[MISTAKE];
  if (!valid_symbols[BLOCK_COMMENT] || in_text) {
    return false;
  }
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r' || lexer->lookahead == '\n') {
    lexer->advance(lexer, true);
  }
  if (lexer->lookahead != '/') {
    return false;
  }
  lexer->advance(lexer, false);
  if (lexer->lookahead != '*') {
    return false;
  }
  lexer->advance(lexer, false);
  unsigned depth = 1;
  while (depth > 0 && !lexer->eof(lexer)) {
    int32_t character = lexer->lookahead;
    lexer->advance(lexer, false);
    if (character == '/' && lexer->lookahead == '*') {
      lexer->advance(lexer, false);
      depth++;
    } else if (character == '*' && lexer->lookahead == '/') {
      lexer->advance(lexer, false);
      depth--;
    }
  }
  if (depth > 0) {
    return false;
  }
  lexer->result_symbol = BLOCK_COMMENT;
  return true;
}
