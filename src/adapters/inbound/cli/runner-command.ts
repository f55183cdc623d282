import type { Command } from 'commander';
import { required } from './required-option.js';

export interface RunnerOptions {
  readonly url: string;
  readonly token: string;
  readonly concurrent: number;
  /** Where the folders of jobs and their caches are made; undefined is the usual place. */
  readonly folder: string | undefined;
  /** How many GiB all caches may take. */
  readonly cacheGib: number;
}

/** `gatehouse runner` */
export interface RunnerCommands {
  /** Resolves once it is stopped. */
  runner(options: RunnerOptions): Promise<void>;
}

interface Sent {
  readonly url: string;
  readonly token: string;
  readonly concurrent: string;
  readonly folder?: string;
  readonly cacheGib: string;
}

const NUMBER = /^[1-9]\d?$/;
const SIZE = /^(?:0|[1-9]\d{0,4})$/;

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

export const addRunnerCommand = (program: Command, handlers: RunnerCommands): void => {
  program
    .command('runner')
    .description('take CI jobs of a server and run them with bash on this machine, as the user who starts it')
    .addOption(required('--url <address>', 'the server, as in https://gatehouse.example'))
    .addOption(required('--token <token>', 'the token of the runner'))
    .option('--concurrent <number>', 'how many jobs it runs at once, 1 to 99', '1')
    .option('--folder <path>', 'where it makes the folders of jobs and keeps caches (~/.cache/gatehouse-runner)')
    .option('--cache-gib <number>', 'how many GiB of caches it keeps at most; 0 keeps none', '10')
    .action(({ url, token, concurrent, folder, cacheGib }: Sent, command: Command) => {
      if (!isWebAddress(url)) command.error('error: --url is no address of a server (expected http:// or https://)');
      if (!NUMBER.test(concurrent)) command.error('error: --concurrent is no number from 1 to 99');
      if (!SIZE.test(cacheGib)) command.error('error: --cache-gib is no number from 0 to 99999');
      return handlers.runner({ url, token, concurrent: Number(concurrent), folder, cacheGib: Number(cacheGib) });
    });
};
