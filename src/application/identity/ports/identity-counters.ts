import type { CounterDeclarations, Counters } from '../../shared/ports/counters.js';

/** What identity counts. Tokens of OAuth are counted beside those that people make. */
export const IDENTITY_COUNTERS = {
  sign_ins_total: {
    help: 'Attempts to sign in, by outcome.',
    labels: {
      outcome: [
        'signed_in',
        'second_factor_needed',
        'refused',
        'blocked',
        'unconfirmed',
        'second_factor_signed_in',
        'second_factor_refused',
      ],
    },
  },
  tokens_issued_total: {
    help: 'Tokens issued, by grant.',
    labels: { grant: ['authorization_code', 'implicit', 'password', 'refresh_token', 'personal_access_token'] },
  },
} as const satisfies CounterDeclarations;

export type IdentityCounters = Counters<typeof IDENTITY_COUNTERS>;
