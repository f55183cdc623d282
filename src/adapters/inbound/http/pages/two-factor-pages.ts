import type { TwoFactorSettings } from '../../../../application/identity/two-factor.js';
import { field, problemsOf, type PageContext, type Pages } from './page.js';
import type { PageFlash } from './page-flash.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';

export interface TwoFactorPagesParts {
  readonly twoFactor: TwoFactorSettings;
  readonly flash: PageFlash;
}

const QR_SIZE = 220;
const RECOVERY_CODES = '/profile/account/recovery_codes';

/** One's own second factor. */
export const addTwoFactorPages = (pages: Pages, { twoFactor, flash }: TwoFactorPagesParts): void => {
  const showEnrolment = async ({ browser, response }: PageContext, secret: string, extra: object = {}) => {
    // Loaded when it is needed: it is some 8 MB that most processes never use.
    const { default: qrCodes } = await import('qrcode');
    const address = twoFactor.addressOf(secret, actorOf(browser).username);
    const qrCode = await qrCodes.toDataURL(address, { width: QR_SIZE, margin: 2 });
    sendPage(response, browser, 'two-factor', { title: 'Two-factor authentication', secret, qrCode, ...extra });
  };

  const showCodes = ({ browser, response }: PageContext, recoveryCodes: readonly string[]): void => {
    flash.put(response, actorOf(browser).id, recoveryCodes, RECOVERY_CODES);
    response.redirect(303, RECOVERY_CODES);
  };

  pages.get('/profile/account/two_factor', 'signed_in', (context) => showEnrolment(context, twoFactor.newSecret()));

  pages.postSensitive('/profile/account/two_factor', async (context, person) => {
    const { request, response } = context;
    const secret = field(request, 'secret');
    const [code, currentCode] = [field(request, 'code'), field(request, 'current_code')];
    try {
      showCodes(context, await twoFactor.enable(person, { secret, code, currentCode }));
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      // A secret that no authenticator could have is not shown again.
      await showEnrolment(context, 'secret' in problems ? twoFactor.newSecret() : secret, { problems });
    }
  });

  pages.get(RECOVERY_CODES, 'signed_in', ({ browser, request, response }) => {
    const recoveryCodes = flash.take(request, response, actorOf(browser).id);
    if (recoveryCodes.length === 0) return response.redirect(303, '/profile/account');
    const { username } = actorOf(browser);
    const text = `Recovery codes of @${username} for Gatehouse. Each works once.\n\n${recoveryCodes.join('\n')}\n`;
    const file = Buffer.from(text).toString('base64');
    sendPage(response, browser, 'recovery-codes', { title: 'Recovery codes', recoveryCodes, file });
  });

  pages.postSensitive(RECOVERY_CODES, async (context, person) =>
    showCodes(context, await twoFactor.renewRecoveryCodes(person)),
  );

  pages.postSensitive('/profile/account/two_factor/disable', async ({ response }, person) => {
    await twoFactor.disable(person);
    response.redirect(303, '/profile/account?done=two-factor-off');
  });
};
