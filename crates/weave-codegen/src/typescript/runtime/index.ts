/** What all generated packages share. It needs nothing but the language and, for handlers, `Request` and `Response`. */

export * from "./codec.js";
export { GREATEST_WORK, Guard } from "./guard.js";
export * from "./http.js";
export * from "./models.js";
export type { Scope } from "./paths.js";
export * from "./scalars.js";
export * from "./structures.js";
export * from "./template.js";
export { Payload, Template } from "./templates.js";
export * from "./tools.js";
export { EvaluationError, type EvaluationErrorKind } from "./values.js";
