// The peer: oidc-provider on its own in-memory store, with what a bench needs to ask of it.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import Provider from 'oidc-provider';

const CLIENT = { client_id: 'bench', client_secret: 'bench-secret-bench-secret-bench-secret' };
const CALLBACK = 'https://app.example/callback';

const provider = new Provider('http://localhost', {
  clients: [{ ...CLIENT, redirect_uris: [CALLBACK], grant_types: ['authorization_code', 'refresh_token'] }],
  features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
  scopes: ['read_user'],
  pkce: { required: () => false },
  issueRefreshToken: () => true,
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
});
const handle = provider.callback();
const client = await provider.Client.find(CLIENT.client_id);

const grantId = async () => {
  const grant = new provider.Grant({ accountId: 'ada', clientId: CLIENT.client_id });
  grant.addOIDCScope('read_user');
  return grant.save();
};

const COMMON = { accountId: 'ada', client, scope: 'read_user', gty: 'authorization_code' };

const make = {
  codes: async (count) => {
    const codes = [];
    for (let number = 0; number < count; number += 1) {
      const code = new provider.AuthorizationCode({ ...COMMON, grantId: await grantId(), redirectUri: CALLBACK });
      codes.push(await code.save());
    }
    return codes;
  },
  refreshes: async (count) => {
    const tokens = [];
    for (let number = 0; number < count; number += 1)
      tokens.push(await new provider.RefreshToken({ ...COMMON, grantId: await grantId() }).save());
    return tokens;
  },
  tokens: async () => [await new provider.AccessToken({ ...COMMON, grantId: await grantId() }).save()],
};

const server = createServer((request, response) => {
  if (request.url !== '/bench') return handle(request, response);
  json(request)
    .then(({ what, count }) => make[what](count))
    .then((made) => response.end(JSON.stringify(made)));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`));
