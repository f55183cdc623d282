declare module 'simple-oauth2' {
  interface AccessToken {
    readonly token: Readonly<Record<string, unknown>>;
    refresh(): Promise<AccessToken>;
    revoke(kind: 'access_token' | 'refresh_token'): Promise<void>;
    expired(): boolean;
  }
  interface Options {
    readonly client: { readonly id: string; readonly secret: string };
    readonly auth: {
      readonly tokenHost: string;
      readonly tokenPath: string;
      readonly authorizePath: string;
      readonly revokePath: string;
    };
  }
  export class AuthorizationCode {
    constructor(options: Options);
    authorizeURL(parameters: Readonly<Record<string, string>>): string;
    getToken(parameters: Readonly<Record<string, string>>): Promise<AccessToken>;
  }
  export class ResourceOwnerPassword {
    constructor(options: Omit<Options, 'auth'> & { readonly auth: Partial<Options['auth']> });
    getToken(parameters: Readonly<Record<string, string>>): Promise<AccessToken>;
  }
}
