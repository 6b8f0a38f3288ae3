// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface Pong {
}

export interface Pong__Output {
}
