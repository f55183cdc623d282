import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));

export interface ShellOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The status of each answer that curl got. */
  readonly statuses: readonly number[];
}

/** What curl reports of each answer on the standard error. */
const STATUS = /^status (\d{3})$/gm;

/**
 * `npx gatehouse` as in a folder where the package is installed. The server of the examples stands for that of the test, the port is a
 * free one, and `serve` ends as soon as it is ready: an operator would go on in another shell.
 */
const npx = (postgresUrl: string): string => `#!/bin/bash
[ "$1" = gatehouse ] || { echo "npx $1 is not known here" >&2; exit 127; }
shift
export PORT=0
case "\${DATABASE_URL:-}" in postgres://gatehouse@db/gatehouse) export DATABASE_URL='${postgresUrl}' ;; esac
[ "$1" = serve ] || exec '${process.execPath}' '${MAIN}' "$@"
log=$(mktemp)
'${process.execPath}' '${MAIN}' serve > "$log" &
service=$!
until grep -q '"message":"ready"' "$log"; do
  kill -0 $service 2> /dev/null || { wait $service; exit; }
  sleep 0.1
done
kill -TERM $service
wait $service
`;

/** A shell as a reader has it who tries the examples of one page after another: variables stay from block to block. */
export class DocumentedShell {
  #variables: Readonly<Record<string, string>>;

  /** @param directory where the reader has an installation of their own. */
  constructor(
    private readonly directory: string,
    address: string,
    postgresUrl: string,
    given: Readonly<Record<string, string>>,
  ) {
    const programs = join(directory, 'programs');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'npx'), npx(postgresUrl));
    chmodSync(join(programs, 'npx'), 0o755);
    const { port } = new URL(address);
    writeFileSync(
      join(directory, '.curlrc'),
      `silent\nshow-error\nconnect-to = "localhost:8080:127.0.0.1:${port}"\nwrite-out = "\\n%{stderr}status %{http_code}\\n"\n`,
    );
    // The same for git, whose addresses have the token in them.
    const remoteAt = (host: string): string => `http://oauth2:${given['TOKEN'] ?? ''}@${host}/`;
    writeFileSync(
      join(directory, '.gitconfig'),
      `[url "${remoteAt(`127.0.0.1:${port}`)}"]\n\tinsteadOf = "${remoteAt('localhost:8080')}"\n`,
    );
    // Node is the one that runs the tests.
    const path = [programs, join(process.execPath, '..'), process.env['PATH'] ?? ''].join(':');
    this.#variables = { ...given, PATH: path, CURL_HOME: directory, HOME: directory };
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#variables;
  }

  give(variables: Readonly<Record<string, string>>): void {
    this.#variables = { ...this.#variables, ...variables };
  }

  async run(text: string): Promise<ShellOutcome> {
    const kept = join(this.directory, 'variables');
    const script = `set -euo pipefail; set -a\n${text}\nenv -0 > '${kept}'\n`;
    const outcome = await new Promise<Omit<ShellOutcome, 'statuses'>>((resolve) => {
      const options = { cwd: this.directory, env: { ...this.#variables }, timeout: 120_000 };
      const child = execFile('/bin/bash', ['-c', script], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
    if (outcome.code === 0) this.#keep(readFileSync(kept, 'utf8'));
    return { ...outcome, statuses: [...outcome.stderr.matchAll(STATUS)].map(([, status]) => Number(status)) };
  }

  #keep(listed: string): void {
    const entries = listed
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const);
    this.#variables = Object.fromEntries(entries.filter(([name]) => name !== '_' && name !== 'SHLVL'));
  }
}
