import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, REPOSITORY);

/**
 * What the compiler says of files that exist in memory alone, by file.
 * @param folder where they would be, below the repository.
 */
export const errorsIn = (
  folder: string,
  files: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly string[]> => {
  const planted = new Map(
    Object.entries(files).map(([name, text]) => [join(REPOSITORY, folder, `planted-${name}.ts`), text]),
  );
  const host = ts.createCompilerHost(options);
  const compiler = { ...host };
  host.readFile = (path) => planted.get(path) ?? compiler.readFile(path);
  host.fileExists = (path) => planted.has(path) || compiler.fileExists(path);
  const program = ts.createProgram([...planted.keys()], options, host);
  return new Map(
    [...planted.keys()].map((path, index) => {
      const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(path));
      const messages = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
      return [Object.keys(files)[index]!, messages];
    }),
  );
};
