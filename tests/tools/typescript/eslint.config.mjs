// The strictest rules of typescript-eslint, for generated modules and for skeletons.

import { pathToFileURL } from "node:url";

const { default: eslint } = await import(pathToFileURL(process.env.TYPESCRIPT_ESLINT).href);

export default eslint.config({
  files: ["src/**/*.ts"],
  extends: [eslint.configs.strictTypeChecked, eslint.configs.stylisticTypeChecked],
  languageOptions: { parserOptions: { project: "./all.json", tsconfigRootDir: import.meta.dirname } },
  // Modules that use what is deprecated say so, and only they: the tests see that no other directive is there.
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    // An index signature may refer to the type that it is in; `Record` may not, and all JSON does.
    "@typescript-eslint/consistent-indexed-object-style": "off",
  },
});
