import type { Writable } from 'node:stream';
import winston from 'winston';
import type { Logger } from '../../../application/shared/ports/logger.js';

export interface LoggerOptions {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'json' | 'pretty';
  /** Where lines go; the standard output by default. */
  readonly stream?: NodeJS.WritableStream;
}

// What is logged is plain: the format of the library that withstands circles costs several times as much (`docs/performance.md`).
const json = winston.format.printf((line) => JSON.stringify(line));

const pretty = winston.format.printf(({ timestamp, level, message, ...fields }) => {
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [String(timestamp), level.padEnd(5), String(message), ...details].join(' ');
});

/** Lets the lines of one turn of the event loop go out in one write: each by itself costs a call of the system. */
const inOneWrite = (stream: NodeJS.WritableStream & Partial<Pick<Writable, 'cork' | 'uncork'>>): (() => void) => {
  let corked = false;
  const uncork = (): void => {
    if (!corked) return;
    corked = false;
    stream.uncork?.();
  };
  process.once('exit', uncork);
  return () => {
    if (corked) return;
    corked = true;
    stream.cork?.();
    setImmediate(uncork);
  };
};

/** Lines of JSON with `timestamp`, `level` and `message`, or lines for a person. */
export const createWinstonLogger = ({ level, format, stream = process.stdout }: LoggerOptions): Logger => {
  const logger = winston.createLogger({
    level,
    format: format === 'json' ? json : pretty,
    transports: [new winston.transports.Stream({ stream })],
  });
  const hold = inOneWrite(stream);
  const write = (severity: LoggerOptions['level']) => (message: string, fields?: object) => {
    hold();
    logger.log({ timestamp: new Date().toISOString(), level: severity, message, ...fields });
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};
