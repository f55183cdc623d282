import { randomUUID } from 'node:crypto';
import type { Assignment } from '../../../../../application/pipelines/give-jobs.js';
import { claimsOf } from '../../../../../domain/pipelines/job-claims.js';
import { filledIn, nothing } from '../../../../../domain/pipelines/variables-in-text.js';

export interface SentVariable {
  readonly key: string;
  readonly value: string;
  readonly public: boolean;
  readonly masked: boolean;
  readonly file?: true;
  readonly raw?: true;
}

/** Signs something in the name of the installation. */
export interface ClaimSigner {
  sign(
    claims: Readonly<Record<string, unknown>>,
    meant: { readonly audience: string | readonly string[]; readonly lifetimeSeconds: number },
  ): Promise<string>;
}

/** Clocks elsewhere may be a little behind. */
const EARLIER_SECONDS = 5;
const LONGEST_AUDIENCE = 1_024;

/**
 * What a job shows elsewhere to prove which one it is: each token for those whom its file names, and no longer than the job may take. Masked
 * values are for the job alone, and not put into the names.
 */
export const idTokensOf = (
  assignment: Assignment,
  known: readonly SentVariable[],
  { server, signClaims }: { readonly server: string; readonly signClaims: ClaimSigner },
): Promise<readonly SentVariable[]> => {
  const { job, timeoutSeconds } = assignment;
  const { idTokens = [], environment } = job.definition.options;
  const claims = claimsOf({ ...assignment, action: environment?.action, server });
  const values = new Map(known.filter(({ masked }) => !masked).map(({ key, value }) => [key, value]));
  const fill = (text: string): string => filledIn(text, values, { most: LONGEST_AUDIENCE, unknown: nothing });
  const notBefore = Math.floor(job.startedAt.getTime() / 1_000) - EARLIER_SECONDS;
  return Promise.all(
    idTokens.map(async ({ key, audience }) => {
      const said = { ...claims, nbf: notBefore, jti: randomUUID() };
      const value = await signClaims.sign(said, {
        audience: typeof audience === 'string' ? fill(audience) : audience.map(fill),
        lifetimeSeconds: timeoutSeconds,
      });
      return { key, value, public: false, masked: true };
    }),
  );
};
