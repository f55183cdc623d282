import type { DeliverWebhooks } from '../../application/webhooks/deliver-webhooks.js';
import type { WebhookReader } from '../../application/webhooks/ports/webhook-ports.js';
import type { Webhooks } from '../../application/webhooks/webhooks.js';
import { token } from './token.js';

/** What is sent to other programs. */
export interface WebhookUseCases {
  readonly webhooks: Webhooks;
  readonly webhookReader: WebhookReader;
  readonly deliverWebhooks: DeliverWebhooks;
}

export const WEBHOOK_TOKENS = {
  webhooks: token<WebhookUseCases>('WebhookUseCases'),
} as const;
