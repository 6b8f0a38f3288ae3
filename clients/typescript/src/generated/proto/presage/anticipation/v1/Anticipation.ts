// Original file: proto/presage/anticipation/v1/anticipation.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Signal as _presage_anticipation_v1_Signal, Signal__Output as _presage_anticipation_v1_Signal__Output } from '../../../presage/anticipation/v1/Signal.ts';
import type { Update as _presage_anticipation_v1_Update, Update__Output as _presage_anticipation_v1_Update__Output } from '../../../presage/anticipation/v1/Update.ts';

export interface AnticipationClient extends grpc.Client {
  Anticipate(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_presage_anticipation_v1_Signal, _presage_anticipation_v1_Update__Output>;
  Anticipate(options?: grpc.CallOptions): grpc.ClientDuplexStream<_presage_anticipation_v1_Signal, _presage_anticipation_v1_Update__Output>;
  anticipate(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_presage_anticipation_v1_Signal, _presage_anticipation_v1_Update__Output>;
  anticipate(options?: grpc.CallOptions): grpc.ClientDuplexStream<_presage_anticipation_v1_Signal, _presage_anticipation_v1_Update__Output>;
  
}

export interface AnticipationHandlers extends grpc.UntypedServiceImplementation {
  Anticipate: grpc.handleBidiStreamingCall<_presage_anticipation_v1_Signal__Output, _presage_anticipation_v1_Update>;
  
}

export interface AnticipationDefinition extends grpc.ServiceDefinition {
  Anticipate: MethodDefinition<_presage_anticipation_v1_Signal, _presage_anticipation_v1_Update, _presage_anticipation_v1_Signal__Output, _presage_anticipation_v1_Update__Output>
}
