/** What all generated packages share. It needs nothing but the language and, for handlers, `Request` and `Response`. */

export * from "./codec.js";
export * from "./http.js";
export * from "./scalars.js";
export * from "./structures.js";
export * from "./template.js";
export * from "./tools.js";
