import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "build/", "docs/", "examples/", "dist/"] },
  js.configs.recommended,
  {
    files: ["src/sudokulab/web/static/js/**"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["tests/js/**"],
    languageOptions: { globals: globals.nodeBuiltin },
  },
  {
    rules: {
      eqeqeq: "error",
      "no-param-reassign": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-useless-rename": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
