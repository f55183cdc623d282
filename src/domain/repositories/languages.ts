/** Languages that people write programs and pages in, with the extensions of their files. Data and prose are none. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  Ada: 'adb ads',
  Assembly: 'asm s',
  Astro: 'astro',
  Awk: 'awk',
  C: 'c h',
  'C#': 'cs csx',
  'C++': 'cc cpp cxx c++ hh hpp hxx inl ipp',
  CMake: 'cmake',
  CSS: 'css',
  Clojure: 'clj cljc cljs',
  CoffeeScript: 'coffee',
  'Common Lisp': 'lisp lsp',
  Crystal: 'cr',
  Cuda: 'cu cuh',
  D: 'd',
  Dart: 'dart',
  Dockerfile: 'dockerfile',
  Elixir: 'ex exs',
  Elm: 'elm',
  'Emacs Lisp': 'el',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f f03 f08 f90 f95 for',
  GLSL: 'frag glsl vert',
  Go: 'go',
  Groovy: 'gradle groovy',
  HCL: 'hcl tf',
  HTML: 'htm html xhtml',
  Haskell: 'hs lhs',
  Java: 'java',
  JavaScript: 'cjs es6 js jsx mjs',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  MATLAB: 'm',
  Makefile: 'mak mk',
  Nim: 'nim',
  Nix: 'nix',
  OCaml: 'ml mli',
  'Objective-C++': 'mm',
  PHP: 'php phtml',
  PLSQL: 'pkb pks plsql',
  Pascal: 'dpr pas pp',
  Perl: 'pl pm',
  PowerShell: 'ps1 psd1 psm1',
  Prolog: 'pro',
  Python: 'py pyi pyw',
  R: 'r',
  Raku: 'raku rakumod',
  ReScript: 'res',
  Ruby: 'gemspec rake rb ru',
  Rust: 'rs',
  SCSS: 'scss',
  Sass: 'sass',
  Scala: 'sc scala',
  Scheme: 'scm ss',
  Shell: 'bash fish ksh sh zsh',
  Smalltalk: 'st',
  Solidity: 'sol',
  Svelte: 'svelte',
  Swift: 'swift',
  SystemVerilog: 'sv svh',
  TeX: 'cls sty tex',
  Tcl: 'tcl',
  TypeScript: 'cts mts ts tsx',
  VHDL: 'vhd vhdl',
  Vala: 'vala',
  Verilog: 'v',
  'Vim Script': 'vim',
  'Visual Basic .NET': 'vb',
  Vue: 'vue',
  WebAssembly: 'wat',
  XSLT: 'xsl xslt',
  Zig: 'zig',
};

/** Files whose whole name says it. */
const NAMES: Readonly<Record<string, string>> = {
  dockerfile: 'Dockerfile',
  gemfile: 'Ruby',
  gnumakefile: 'Makefile',
  jenkinsfile: 'Groovy',
  makefile: 'Makefile',
  rakefile: 'Ruby',
  'cmakelists.txt': 'CMake',
};

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
);

/** What somebody else wrote, or no person did. */
const NOT_THEIRS = /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|dist)\/|\.min\.(?:css|js)$/;

const languageOf = (path: string): string | undefined => {
  if (NOT_THEIRS.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (Object.hasOwn(NAMES, name)) return NAMES[name];
  const dot = name.lastIndexOf('.');
  return dot === -1 ? undefined : BY_EXTENSION.get(name.slice(dot + 1));
};

export interface SizedFile {
  readonly path: string;
  /** Links and submodules count nothing. */
  readonly mode: string;
  readonly size: number;
}

const REGULAR = new Set(['100644', '100755']);

/** Adds up what files are written in. */
export class LanguageSizes {
  readonly #sizes = new Map<string, number>();

  add(files: readonly SizedFile[]): void {
    for (const { path, mode, size } of files) {
      const language = REGULAR.has(mode) && size > 0 ? languageOf(path) : undefined;
      if (language !== undefined) this.#sizes.set(language, (this.#sizes.get(language) ?? 0) + size);
    }
  }

  /** The share of each language in per cent, the largest first. */
  shares(): Readonly<Record<string, number>> {
    const total = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    const sorted = [...this.#sizes].sort(([, one], [, other]) => other - one);
    return Object.fromEntries(sorted.map(([language, size]) => [language, Math.round((size / total) * 10_000) / 100]));
  }
}
