import type { Response } from 'express';
import helmet from 'helmet';

/** Nothing is loaded from elsewhere, nothing runs, nobody frames the page, and no address is passed on. */
export const pageSecurity = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  // Whether every name below the host is served by https is for whoever owns it to say.
  strictTransportSecurity: false,
});

const CSP = 'Content-Security-Policy';

/**
 * Lets the forms of this one answer lead to an application. Chromium holds `form-action` against every hop of the redirects that follow, and an application's callback
 * commonly redirects once more, to another host of the application's: the code was handed over, and the person was left on the page. Where those hops lead is
 * not ours to know, so that the scheme alone is named: nothing that was begun over https goes on in the clear, and what stays within a machine may go either way.
 *
 * @param redirectUri a registered one.
 */
export const allowFormTarget = (response: Response, redirectUri: string): void => {
  const { protocol } = new URL(redirectUri);
  const targets = protocol === 'http:' ? 'http: https:' : protocol;
  response.setHeader(
    CSP,
    String(response.getHeader(CSP)).replace("form-action 'self'", `form-action 'self' ${targets}`),
  );
};

/** Lets this one answer keep itself up to date: by a script of ours, which asks nobody but this service. */
export const allowLiveScript = (response: Response): void => {
  response.setHeader(CSP, `${String(response.getHeader(CSP))};script-src 'self';connect-src 'self'`);
};
