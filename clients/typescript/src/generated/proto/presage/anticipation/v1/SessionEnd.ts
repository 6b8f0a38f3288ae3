// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface SessionEnd {
}

export interface SessionEnd__Output {
}
