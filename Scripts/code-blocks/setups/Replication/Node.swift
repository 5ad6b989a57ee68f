let primary: ReplicatedDatabase = example()
let replica: ReplicatedDatabase = example()
