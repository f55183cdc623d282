import type { Demo } from './fill-demo.js';
import type { DemoPerson } from './people.js';

type Print = (line: string) => void;

/** The password of root is printed once, by itself: it stands in no table. */
const ROOT = 'root';

const printPeople = (people: readonly DemoPerson[], print: Print): void => {
  const width = Math.max(...people.map(({ password }) => password.length));
  const row = (username: string, password: string, does: string): void =>
    print(`  ${username.padEnd(8)} ${password.padEnd(width)}   ${does}`);
  for (const { username, password, does } of people) row(username, password, does);
  row(ROOT, '(see above)', 'administers the installation');
};

/** After the start that filled the demo: who can sign in, and commands worth pasting. */
export const printDemo = (baseUrl: string, { people, token, application, alerts }: Demo, print: Print): void => {
  const [first] = people;
  print(`The demo is there. Who can sign in at ${baseUrl}/users/sign_in:`);
  printPeople(people, print);
  print('Worth pasting:');
  print(`  export TOKEN=${token}   # a personal access token of ${first?.username ?? ''}`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" ${baseUrl}/api/v4/user`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" "${baseUrl}/api/v4/projects?membership=true&simple=true"`);
  const { uid, secret } = application;
  print(
    `  curl -u ${uid}:${secret} -d grant_type=password -d scope=read_user -d username=${first?.username ?? ''} -d password=${first?.password ?? ''} ${baseUrl}/oauth/token`,
  );
  const alert = `'{"title":"The engine is hot","severity":"high"}'`;
  print(
    `  curl -H "Authorization: Bearer ${alerts.key}" -H "Content-Type: application/json" -d ${alert} ${baseUrl}${alerts.path}`,
  );
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" "${baseUrl}/api/v4/events?scope=all"`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" -d name=Sketch -d visibility=public ${baseUrl}/api/v4/projects`);
};

/** After any later start: passwords and tokens are not stored, so it says how to get new ones. */
export const printDemoAgain = (baseUrl: string, print: Print): void => {
  print(`The demo is there already. Sign in at ${baseUrl}/users/sign_in with what the first start printed.`);
  print('Worth pasting:');
  print('  npx gatehouse token create --user ada --scopes api      # a new token');
  print('  npx gatehouse user reset-password --username ada        # a new password');
};
