// Uses what is deprecated, as people should not.

import { type Box, Colour, errors, prompts, tools } from "./gen/fading/index.js";

export const box: Box = { width: 1, colour: Colour.Crimson };
export const said: string[] = [tools.find.name, errors.lost({ last: "a" }).message, prompts.describe({ box })];
