let primary: ReplicatedDatabase = example()
let replica: ReplicatedDatabase = example()
let node: ReplicatedDatabase = example()
