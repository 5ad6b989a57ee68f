let password = ""
let path = ""
let node: ReplicatedDatabase = example()
let replica: ReplicatedDatabase = example()
let request: [UInt8] = []
