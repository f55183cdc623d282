import type { TouchedAlert } from '../../application/alerts/receive-alerts.js';
import type { CounterName } from '../../application/shared/ports/counters.js';
import type { DatabaseOfThreads } from '../../adapters/outbound/persistence/knex/database.js';
import { HttpError } from '../../adapters/inbound/http/http-error.js';
import type { TakenPayload } from '../../adapters/inbound/http/alert-intake/take-payload.js';
import { Forbidden, NotFound, Unauthenticated, Unavailable } from '../../domain/shared/domain-error.js';

/** What a thread is started with. */
export interface ThreadSettings {
  readonly database: DatabaseOfThreads;
  readonly secretKey: Uint8Array;
  readonly baseUrl: string;
  readonly groupByPayload: boolean;
}

/** To the thread: payloads, each with the number that its answer is given by; or that there are no more to come. */
export type Asked = readonly (readonly [number, TakenPayload])[] | 'no more';

/** From the thread: the answers of a turn, and what is to be known here of what it did. */
export interface Told {
  readonly answers: readonly (readonly [number, Outcome])[];
  readonly counts: readonly Count[];
  readonly jobsAreDue: boolean;
}

export type Count = readonly [CounterName, Readonly<Record<string, string>>, number];

/** An error loses its class between threads: those that mean something to a sender are named. */
export type Outcome =
  | { readonly touched: readonly TouchedAlert[] }
  | { readonly refused: { readonly status: number; readonly message: string } }
  | { readonly denied: 'not_found' | 'unauthenticated' | { readonly forbidden: string | undefined } }
  | { readonly unavailable: 'database' }
  | { readonly failed: { readonly message: string; readonly stack: string } };

export const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof HttpError) return { refused: { status: error.status, message: error.message } };
  if (error instanceof NotFound || error instanceof Unauthenticated) return { denied: error.kind };
  if (error instanceof Forbidden) return { denied: { forbidden: error.reason } };
  if (error instanceof Unavailable) return { unavailable: error.dependency };
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return { failed: { message, stack } };
};

const denialOf = (denied: Extract<Outcome, { denied: unknown }>['denied']): Error => {
  if (typeof denied === 'object') return new Forbidden(denied.forbidden);
  return denied === 'not_found' ? new NotFound() : new Unauthenticated();
};

/** @throws what had been thrown in the thread. */
export const touchedOf = (outcome: Outcome): readonly TouchedAlert[] => {
  if ('touched' in outcome) return outcome.touched;
  if ('refused' in outcome) throw new HttpError(outcome.refused.status, outcome.refused.message);
  if ('denied' in outcome) throw denialOf(outcome.denied);
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable);
  throw Object.assign(new Error(outcome.failed.message), { stack: outcome.failed.stack });
};
