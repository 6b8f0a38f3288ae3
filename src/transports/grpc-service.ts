import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';

/** A service that the gRPC server serves beside its own. */
export interface GrpcService {
  readonly definition: ServiceDefinition;
  /** `closing`: the server stops. Each call is given to `serving` until it has ended; it never rejects. */
  handlers(closing: AbortSignal, serving: (call: Promise<void>) => void): UntypedServiceImplementation;
}
