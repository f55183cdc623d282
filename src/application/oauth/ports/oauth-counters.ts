import type { IDENTITY_COUNTERS } from '../../identity/ports/identity-counters.js';
import type { CounterDeclarations, Counters } from '../../shared/ports/counters.js';

/** What OAuth counts beside the tokens that it issues. */
export const OAUTH_COUNTERS = {
  token_reuses_total: {
    help: 'Codes and refresh tokens used again so that what they had given was revoked, by kind.',
    labels: { kind: ['authorization_code', 'refresh_token'] },
  },
  code_refusals_total: {
    help: 'Authorization codes that bought nothing, by reason.',
    labels: {
      reason: [
        'unknown',
        'other_client',
        'used_before',
        'expired',
        'other_redirect_uri',
        'verifier_missing',
        'verifier_unexpected',
        'verifier_differs',
        'owner_inactive',
      ],
    },
  },
  refresh_refusals_total: {
    help: 'Refresh tokens that bought nothing, by reason.',
    labels: {
      reason: [
        'unknown',
        'revoked',
        'other_client',
        'past_grace',
        'too_many_repeats',
        'owner_inactive',
        'scope_exceeded',
      ],
    },
  },
} as const satisfies CounterDeclarations;

export type OAuthCounters = Counters<typeof OAUTH_COUNTERS & typeof IDENTITY_COUNTERS>;
