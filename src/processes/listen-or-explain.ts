/** Waits for `listen`; names the variable to set when another process listens at the address. */
export async function listenOrExplain<T>(
  address: string,
  variable: 'PORT' | 'GRPC_PORT' | 'METRICS_PORT',
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    if (!String(error).includes('EADDRINUSE')) throw error;
    const message = `${address} is taken by another process: stop that one, or set ${variable} to another port`;
    throw new Error(message, { cause: error });
  }
}
