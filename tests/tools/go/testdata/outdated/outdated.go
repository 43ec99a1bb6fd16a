// Package outdated uses what is deprecated, as people should not.
package outdated

import "weave.test/gen/fading"

// Box is deprecated, and so is its colour.
var Box = fading.Box{Width: 1, Colour: fading.ColourCrimson}

// Find is the name of a deprecated tool.
var Find = fading.FindTool.Name()
