import { execFile } from 'node:child_process';

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a Node program and hands over what it printed, whatever its exit code: linters end with 1 when they find something. */
export const runProgram = (program: string, parameters: readonly string[], cwd: string): Promise<ProgramOutput> =>
  new Promise((resolve) => {
    const options = { cwd, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '' } };
    execFile(process.execPath, [program, ...parameters], options, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
