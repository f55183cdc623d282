import { Router } from 'express';
import type { SigningKeys } from '../../../../application/oauth/signing-keys.js';
import { sendJson } from '../send-json.js';
import { exchangeOf } from '../server/exchange.js';

export const KEY_DISCOVERY_PATH = '/oauth/discovery/keys';

/** Where whoever verifies our tokens finds the keys (RFC 7517 §5). */
export const createKeyDiscovery = (signingKeys: SigningKeys): Router => {
  const router = Router({ caseSensitive: true });
  router.get(KEY_DISCOVERY_PATH, async (request, response) => {
    exchangeOf(request).route = KEY_DISCOVERY_PATH;
    response.set({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' });
    sendJson(response, { keys: await signingKeys.published() });
  });
  return router;
};
