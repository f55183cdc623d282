import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

/*
 * V8 forgets what it compiled with the realm of a test file, and compiling the one file of all sources took it longer than running
 * what a usual test asks of it. So a worker that loads it a second time compiles the whole of it, once a run, and every later load
 * is given that.
 */

const { SourceTextModule } = vm;

let loads = 0;
let compiled;

/** Two workers may both do it: either is as good. */
const compile = (code, file) => {
  // Else only what runs at once is compiled. It is not V8's way to be asked that for a single file.
  setFlagsFromString('--no-lazy');
  const whole = new SourceTextModule(code, { context: vm.createContext(vm.constants.DONT_CONTEXTIFY) });
  setFlagsFromString('--lazy');
  const made = `${file}-${process.pid}`;
  writeFileSync(made, whole.createCachedData());
  renameSync(made, file);
};

const compiledOf = (code, bundle) => {
  loads += 1;
  const file = `${bundle}.compiled`;
  // A run of a single file has nothing of it.
  if (!existsSync(file)) {
    if (loads === 1) return undefined;
    compile(code, file);
  }
  return (compiled ??= readFileSync(file));
};

const withCompiled = (code, options) => {
  const { GATEHOUSE_TEST_DIRECTORY: directory } = process.env;
  if (directory === undefined || options?.identifier !== join(directory, 'sources', 'bundle.mjs')) return options;
  return { ...options, cachedData: compiledOf(code, options.identifier) };
};

/** What Jest makes of each module. */
class CompiledModule extends SourceTextModule {
  constructor(code, options) {
    super(code, withCompiled(code, options));
  }
}

vm.SourceTextModule = CompiledModule;
