// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface Ping {
}

export interface Ping__Output {
}
