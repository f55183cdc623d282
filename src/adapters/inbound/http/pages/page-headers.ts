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
 * Lets the forms of this one answer lead to an application. Chromium holds `form-action` against every redirect that follows, and callbacks
 * often redirect once more, to another host of the application: otherwise it has the code, and the person is left on our page. Nobody here
 * knows where such redirects lead, so that only the scheme is named: what begins over https stays there, and what begins on the person's
 * own machine may go either way.
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
