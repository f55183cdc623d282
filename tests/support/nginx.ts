import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { until } from './until.js';

const SAMPLE = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url));

export const hasNginx = (): boolean => spawnSync('nginx', ['-v']).status === 0;

/** nginx by the sample of the deployment, in front of services on these ports. */
export class Nginx {
  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(ports: readonly number[]): Promise<Nginx> {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'));
    const port = await freePort();
    const [first, ...others] = ports.map((node) => `127.0.0.1:${node}`);
    const site = readFileSync(SAMPLE, 'utf8')
      // Without a certificate, and on one port that is free.
      .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, '')
      .replace(/^ {2}(?:ssl_|listen \[).*\n/gm, '')
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
      .replace('127.0.0.1:8080', first ?? '')
      .replace(/# A second node: server \S+ (.*)\n/, (_, how: string) =>
        others.map((node) => `server ${node} ${how}\n`).join(''),
      );
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    const configuration = join(directory, 'nginx.conf');
    writeFileSync(
      configuration,
      `daemon off; pid ${directory}/pid; error_log ${directory}/errors; events {} http { access_log off; ${temporary.join(' ')}\n${site} }`,
    );
    const nginx = spawn('nginx', ['-p', directory, '-c', configuration], { stdio: 'ignore' });
    const stop = async (): Promise<void> => {
      if (nginx.exitCode === null) {
        const ended = once(nginx, 'exit');
        nginx.kill('SIGTERM');
        await ended;
      }
      rmSync(directory, { recursive: true, force: true });
    };
    const url = `http://127.0.0.1:${port}`;
    try {
      await until(async () => (await fetch(`${url}/-/health`).catch(() => undefined))?.status === 200);
    } catch (error) {
      await stop();
      throw error;
    }
    return new Nginx(url, stop);
  }
}
