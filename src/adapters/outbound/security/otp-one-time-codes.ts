import { generateSecret, generateURI, verify } from 'otplib';
import type { OneTimeCodes } from '../../../application/identity/ports/one-time-codes.js';

const STEP_SECONDS = 30;
const ISSUER = 'Gatehouse';

export const otpOneTimeCodes: OneTimeCodes = {
  newSecret: () => generateSecret(),
  matchingStep: async (secret, code, now) => {
    const epoch = Math.floor(now.getTime() / 1000);
    const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
    return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : undefined;
  },
  address: (secret, account) => generateURI({ issuer: ISSUER, label: account, secret }),
};
