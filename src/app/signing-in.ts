import type { Dependencies } from '../dependencies.ts';
import { acceptInvitation, signIn, signOut, type SignIn } from '../domain/administration/sign-in.ts';

/** How somebody comes into the dashboard and leaves it. `from`: the network address of whoever asks. */
export const createSigningIn = (d: Dependencies) => ({
  signIn: (given: SignIn, from: string) => signIn(d, given, from),
  acceptInvitation: (given: { link: string; email: string; password: string }, from: string) =>
    acceptInvitation(d, given, from),
  signOut: (secret: string) => signOut(d, secret),
});
