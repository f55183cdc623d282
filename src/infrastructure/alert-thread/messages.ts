import type { SentPayload, TakeAlertsResult } from '../../application/alerts/take-alerts.js';
import type { CounterName } from '../../application/shared/ports/counters.js';
import type { DatabaseOfThreads } from '../../adapters/outbound/persistence/knex/database.js';
import type { SecretKeys } from '../../adapters/outbound/security/aes-secret-box.js';
import { StorageMoved } from '../../adapters/outbound/persistence/knex/dialect/constraint-violations.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import type { LeftWork } from '../composition/storage.js';

/** What a thread is started with. */
export interface ThreadSettings {
  readonly database: DatabaseOfThreads;
  readonly secretKeys: SecretKeys;
  readonly baseUrl: string;
  readonly groupByPayload: boolean;
}

/** To the thread: payloads, each with the number that its answer is given by; or that there are no more to come. */
export type Asked = readonly (readonly [number, SentPayload])[] | 'no more';

/** From the thread: the answers of a turn, and what is to be known here of what it did. */
export interface Told {
  readonly answers: readonly (readonly [number, Answer])[];
  readonly counts: readonly Count[];
  readonly left: ReadonlySet<LeftWork>;
}

export type Count = readonly [CounterName, Readonly<Record<string, string>>, number];

/** Results are plain data, but an error loses its class between threads: those that mean something here are named. */
export type Answer =
  | { readonly result: TakeAlertsResult }
  | { readonly unavailable: Unavailable['dependency'] }
  | { readonly moved: string }
  | { readonly failed: { readonly message: string; readonly stack: string } };

export const answerOfError = (error: unknown): Answer => {
  if (error instanceof Unavailable) return { unavailable: error.dependency };
  if (error instanceof StorageMoved) return { moved: error.message };
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return { failed: { message, stack } };
};

/** @throws what was thrown in the thread. */
export const resultOf = (answer: Answer): TakeAlertsResult => {
  if ('result' in answer) return answer.result;
  if ('unavailable' in answer) throw new Unavailable(answer.unavailable);
  if ('moved' in answer) throw new StorageMoved(answer.moved);
  throw Object.assign(new Error(answer.failed.message), { stack: answer.failed.stack });
};
